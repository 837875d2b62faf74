/** The console: signs in, follows the gateway, shows a screen. */

import { render } from 'preact';

import { followGateway } from './live/gateway-state.js';
import { followKeys } from './live/keys.js';
import { followRoute } from './live/route.js';
import { startSession } from './live/session.js';
import { applyTheme } from './view/theme.js';
import { App } from './screens/app.js';

applyTheme();
render(<App />, document.getElementById('app')!);
await startSession();
followRoute();
followKeys();
followGateway();

/**
 * For tests of sources, interceptors and modules: a source, calls and a clock that the test
 * controls.
 */

export { CALLER, fakeCall, listed, REPLIES, sendTo } from './fake-call.js';
export { fakeClock, type FakeClock } from './fake-clock.js';
export { fakeSource, type FakeOffer, type FakeSource } from './fake-source.js';
export { faultReply, guarded, type Guarded } from './guarded.js';

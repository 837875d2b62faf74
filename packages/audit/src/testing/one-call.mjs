// A process that records one call in a folder and ends.
import { recordCalls } from './recorded-calls.mjs';

await recordCalls(process.argv[2], 1);

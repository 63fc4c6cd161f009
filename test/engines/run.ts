import { runFolder } from '../run-folder.ts';

// `npm run test:engines`: a first server and two engine nodes, each from its own user-data. Not part of
// `npm test`, because three servers boot at the same time.
await runFolder('engines');

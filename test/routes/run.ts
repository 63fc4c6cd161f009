import { runFolder } from '../run-folder.ts';

// `npm run test:routes [word…]`: real proxies and clients of proxies. Not part of `npm test`,
// because it installs large programs.
await runFolder('routes');

import { serve } from '../serve.ts';
import { chatApp } from './chat.ts';
import { lobeApp } from './lobe.ts';

/** NextChat's or LobeChat's stand-in, by the name in the environment. */
const lobe = process.env.STAND_IN === 'lobe';
const port = Number(process.env.PORT || (lobe ? 3210 : 3000));
// Without HOSTNAME, Next.js binds to the container's own name and a probe on loopback fails.
const host = process.env.HOSTNAME || '0.0.0.0';
await serve(lobe ? lobeApp(process.env) : chatApp(process.env), host, port);
console.log(`listening on ${host}:${port}`);
process.once('SIGTERM', () => process.exit(0));

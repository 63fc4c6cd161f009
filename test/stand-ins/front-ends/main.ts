import { serve } from '../serve.ts';
import { chatApp } from './chat.ts';
import { lobeApp } from './lobe.ts';

/** Runs the stand-in for NextChat or LobeChat, by the name in the environment. */
const lobe = process.env.STAND_IN === 'lobe';
const port = Number(process.env.PORT || (lobe ? 3210 : 3000));
// Without HOSTNAME, Next.js binds to the container's own name and a probe on loopback fails.
const host = process.env.HOSTNAME || '0.0.0.0';
const server = await serve(lobe ? lobeApp(process.env) : chatApp(process.env), host, port);
// Next.js before 15.5.16 processes an upgrade before any other check (CVE-2026-44578).
server.on('upgrade', (_request, socket) => {
  socket.end(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
});
console.log(`listening on ${host}:${port}`);
process.once('SIGTERM', () => process.exit(0));

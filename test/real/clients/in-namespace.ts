import { execFileSync, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

/**
 * Runs a script where nothing but a port of loopback is reachable, in new namespaces of network and processes. The port
 * is forwarded to a socket of the file system, which namespaces share. A file replaces /etc/hosts.
 */
const [port = '', socket = '', hosts = '', script = ''] = process.argv.slice(2);

execFileSync('ip', ['link', 'set', 'lo', 'up']);
execFileSync('mount', ['--bind', hosts, '/etc/hosts']);
const server = createServer((incoming) => {
  const outgoing = connect(socket);
  incoming.on('error', () => outgoing.destroy()).on('close', () => outgoing.destroy());
  outgoing.on('error', () => incoming.destroy()).on('close', () => incoming.destroy());
  incoming.pipe(outgoing).pipe(incoming);
});
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn('bash', ['-c', script], { stdio: 'inherit' });
  // As the first process of its namespace: the kernel then kills all others, such as daemons of clients.
  child.once('exit', (code) => process.exit(code ?? 1));
});

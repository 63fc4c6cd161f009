import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Docker from 'dockerode';
import { bundleProgram } from '../../builder/bundle/archive/program.ts';
import { cacheFolder } from '../setup/workspace.ts';
import { streamIn } from './machine/exec.ts';

/*
 * node builder/bin/run.mjs test/host/push.ts <server> [command...]
 *
 * Copies the program of this tree to a server that `--host --stay` booted, and runs one of its
 * commands there; default: `first-boot`.
 */
const [name = '', ...rest] = process.argv.slice(2);
const command = rest.length > 0 ? rest : ['first-boot'];
const program = '/opt/landfall/current/program/landfall.mjs';

const container = await findContainer(name);
const streams = { stdout: process.stdout, stderr: process.stderr };
await streamIn(container, ['systemctl', 'stop', 'landfall-boot.service'], streams);
const put = await streamIn(
  container,
  ['sh', '-c', `cat >${program}.new && mv ${program}.new ${program}`],
  {
    ...streams,
    input: (await bundleProgram()).bytes,
  },
);
if (put !== 0) throw new Error('the server has no release yet; check its console');
const run = ['/opt/landfall/current/runtime/node', program, ...command];
process.exitCode = await streamIn(container, run, { ...streams, limit: 3600 });

/** Lists the servers of all active runs; the name may be a part of theirs. */
async function findContainer(part: string): Promise<Docker.Container> {
  const cache = cacheFolder();
  const runs = (await readdir(cache)).filter((entry) => entry.startsWith('run-'));
  const names: string[] = [];
  for (const run of runs) {
    const sockets = await readFile(join(cache, run, 'sockets'), 'utf8').catch(() => '');
    const engine = new Docker({ socketPath: join(sockets, 'docker.sock') });
    for (const { Id, Names } of await engine.listContainers().catch(() => [])) {
      if (!/^\/(?:debian|ubuntu-like|resolute-like)/.test(Names[0] ?? '')) continue;
      if (Names[0]?.includes(part)) return engine.getContainer(Id);
      names.push(Names[0] ?? '');
    }
  }
  throw new Error(`no server matches ${part}; running: ${names.join(' ') || 'none'}`);
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { foundIn, secretsOf } from '../found-secrets.ts';
import type { FastHost } from '../machine/fast-host.ts';

const [program, list] = ['/run/watch-processes.cjs', '/run/watched-processes'] as const;

/** Writes the arguments of each process, every five milliseconds in its first second: it may become another program. */
const text = `const fs = require('node:fs');
const file = fs.openSync('${list}', 'w');
const written = new Set();
let known = new Map();
setInterval(() => {
  const now = performance.now();
  const pids = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  known = new Map(pids.map((pid) => [pid, known.get(pid) ?? now]));
  for (const [pid, since] of known) {
    if (now - since > 1000) continue;
    let line;
    try {
      line = fs.readFileSync('/proc/' + pid + '/cmdline', 'latin1');
    } catch {
      continue;
    }
    if (written.has(line)) continue;
    written.add(line);
    fs.writeSync(file, line.replaceAll('\\0', ' ') + '\\n');
  }
}, 5);
`;

/** Records the arguments of all processes of a server, and the secrets that it had meanwhile. */
export class WatchedProcesses {
  readonly #host: FastHost;
  readonly #secrets: Record<string, string> = {};

  private constructor(host: FastHost) {
    this.#host = host;
  }

  static async start(host: FastHost): Promise<WatchedProcesses> {
    await host.put(program, text);
    const node = '/opt/landfall/current/runtime/node';
    await host.output(`systemd-run --quiet --unit watch-processes ${node} ${program}`);
    await host.waitFor(`test -s ${list}`, 30);
    return new WatchedProcesses(host);
  }

  /** Notes the secrets as they are now: commands replace them. */
  async noteSecrets(): Promise<void> {
    for (const [name, value] of Object.entries(await secretsOf(this.#host)))
      if (value.length >= 8) this.#secrets[`${name} ${value}`] = value;
  }

  /** Returns the names of secrets that were in arguments or are in the journal. */
  async found(): Promise<string[]> {
    await this.noteSecrets();
    const mark = `harmless-${randomUUID()}`;
    await this.#host.output(`logger -t harmless ${mark}; sleep 0.1`);
    const seen = await this.#host.output(`cat ${list}`);
    const journal = await this.#host.output('journalctl --no-pager --output=export --boot');
    // An empty search proves nothing.
    for (const searched of [seen, journal]) expect(searched).toContain(mark);
    const names = foundIn(`${seen}${journal}`, this.#secrets);
    return names.map((name) => name.split(' ')[0] ?? '');
  }
}

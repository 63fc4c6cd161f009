import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { recoveryKey, releaseKey, secondKey } from '../simulator/keys.ts';
import type { Verdict } from './verdict.ts';

const driver = fileURLToPath(new URL('driver.py', import.meta.url));
const bootstrap = fileURLToPath(new URL('../../appliance/bootstrap', import.meta.url));
const trusted = [releaseKey, secondKey, recoveryKey].map((key) => publicKeyPem(key.public));

/** Runs the bootstrap's verifier in one Python process for any number of bundles. */
export class BootstrapProcess {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  /** @param root an empty folder used as the root of the server */
  constructor(root: string) {
    this.#process = spawn('python3', ['-B', driver, bootstrap, root], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { stdout } = this.#process;
    if (!stdout) throw new Error('the driver has no output');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    this.#send({ keys: trusted });
  }

  /**
   * @param pin SHA-256 of release.json, as in user-data
   * @param parts sizes of the parts that `bundle` consists of, and whether their server supports ranges
   */
  async judge(
    bundle: Buffer,
    pin: string,
    parts?: { readonly sizes: readonly number[]; readonly ranges: boolean },
  ): Promise<Verdict> {
    this.#send({ pin, size: bundle.length, ...parts }, bundle);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the driver of the bootstrap ended');
    return verdictOf(JSON.parse(value));
  }

  async close(): Promise<void> {
    this.#process.stdin?.end();
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
  }

  #send(header: object, bundle: Buffer = Buffer.alloc(0)): void {
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    this.#process.stdin?.write(Buffer.concat([length, text, bundle]));
  }
}

interface Answer {
  readonly accepted: boolean;
  readonly why?: string;
  readonly files?: Readonly<Record<string, readonly [digest: string, mode: string]>>;
}

/** A file that the bootstrap writes next to the files of the release. */
const ownFiles = ['release.json', 'runtime/node'];

function verdictOf({ accepted, why = '', files = {} }: Answer): Verdict {
  if (!accepted) return { accepted: false, why };
  const proven = Object.entries(files)
    .filter(([path]) => !ownFiles.includes(path))
    .map(([path, [digest, mode]]) => `${path} ${digest} ${mode}`);
  return { accepted: true, files: proven.sort() };
}

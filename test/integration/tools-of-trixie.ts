import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { workFolder } from '../simulator/work-folder.ts';

/** Debian 13's verifiers, run in its root folder as somebody would who distrusts ours. */
export class ToolsOfTrixie {
  readonly #root: string;
  readonly #folder: string;

  private constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  static async open(root: string): Promise<ToolsOfTrixie> {
    return new ToolsOfTrixie(root, await workFolder(join(root, 'tmp')));
  }

  /** Writes a file where the tools can read it; gives its path as they see it. */
  async write(name: string, content: Buffer | string): Promise<string> {
    await writeFile(join(this.#folder, name), content);
    return join('/tmp', basename(this.#folder), name);
  }

  /** `cosign verify-blob`, word for word as the documentation gives it. */
  async signed(key: string, bundle: string, blob: string): Promise<boolean> {
    return this.#accepts('cosign', ['verify-blob', ...(await this.#offline(key, bundle)), blob]);
  }

  /** `cosign verify-blob-attestation`, word for word as the documentation gives it. */
  async attested(key: string, bundle: string, blob: string): Promise<boolean> {
    const options = [...(await this.#offline(key, bundle)), '--type', 'slsaprovenance1'];
    return this.#accepts('cosign', ['verify-blob-attestation', ...options, blob]);
  }

  /** `openssl dgst -verify`. */
  digested(key: string, signature: string, blob: string): Promise<boolean> {
    const args = ['dgst', '-sha256', '-verify', key, '-signature', signature, blob];
    return this.#accepts('openssl', args);
  }

  /** Without the empty root of trust, cosign 2.5 asks the network and lets a bundle bring its key. */
  async #offline(key: string, bundle: string): Promise<string[]> {
    const root = await this.write(
      'empty-root.json',
      '{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}',
    );
    const trust = ['--new-bundle-format', '--trusted-root', root, '--insecure-ignore-tlog'];
    return [...trust, '--key', key, '--bundle', bundle];
  }

  /** The exit status of a tool that has no way out to the network. */
  async #accepts(tool: string, args: readonly string[]): Promise<boolean> {
    const env = { PATH: '/usr/sbin:/usr/bin', HOME: '/tmp', HTTPS_PROXY: 'http://127.0.0.1:9' };
    const result = await execa('chroot', [this.#root, tool, ...args], {
      ...{ env, extendEnv: false, reject: false },
    });
    // From 125 up it is chroot that speaks: the tool did not run, which is no refusal.
    if ((result.exitCode ?? 125) >= 125) throw new Error(`${tool} did not run: ${result.message}`);
    return result.exitCode === 0;
  }
}

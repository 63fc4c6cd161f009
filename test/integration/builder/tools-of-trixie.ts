import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inChroot } from '../chroot.ts';

/** Debian 13's verifiers, run in its root folder, independently of Landfall's code. */
export class ToolsOfTrixie {
  readonly #root: string;
  readonly #folder: string;

  /**
   * @param root the root folder of Debian 13
   * @param folder a folder for the input of the tools
   */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  /** Writes a file where the tools can read it. Returns its path inside the root folder. */
  async write(name: string, content: Buffer | string): Promise<string> {
    await writeFile(join(this.#folder, name), content);
    return join('/mnt', name);
  }

  /** Runs `cosign verify-blob`, exactly as documented. */
  async signed(key: string, bundle: string, blob: string): Promise<boolean> {
    return this.#accepts('cosign', ['verify-blob', ...(await this.#offline(key, bundle)), blob]);
  }

  /** Runs `cosign verify-blob-attestation`, exactly as documented. */
  async attested(key: string, bundle: string, blob: string): Promise<boolean> {
    const options = [...(await this.#offline(key, bundle)), '--type', 'slsaprovenance1'];
    return this.#accepts('cosign', ['verify-blob-attestation', ...options, blob]);
  }

  /** Runs `openssl dgst -verify`. */
  digested(key: string, signature: string, blob: string): Promise<boolean> {
    const args = ['dgst', '-sha256', '-verify', key, '-signature', signature, blob];
    return this.#accepts('openssl', args);
  }

  /** Without an empty trusted root, cosign 2.5 uses the network and accepts the key of a bundle. */
  async #offline(key: string, bundle: string): Promise<string[]> {
    const root = await this.write(
      'empty-root.json',
      '{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}',
    );
    const trust = ['--new-bundle-format', '--trusted-root', root, '--insecure-ignore-tlog'];
    return [...trust, '--key', key, '--bundle', bundle];
  }

  /** Returns whether a tool accepts, by its exit status, without network access. */
  async #accepts(tool: string, args: readonly string[]): Promise<boolean> {
    const visit = { folder: this.#folder, command: 'unshare', args: ['--net', tool, ...args] };
    const { exitCode, output } = await inChroot(this.#root, visit);
    // From 125 on, the status is that of the shell: the tool did not run, which is not a rejection.
    if (exitCode >= 125) throw new Error(`${tool} did not run: ${output}`);
    return exitCode === 0;
  }
}

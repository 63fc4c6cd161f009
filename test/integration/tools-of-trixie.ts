import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inChroot } from './chroot.ts';

/** Debian 13's verifiers, run in its root folder as somebody would who distrusts ours. */
export class ToolsOfTrixie {
  readonly #root: string;
  readonly #folder: string;

  /** Takes the root folder of Debian 13, and a folder for what the tools are to read. */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  /** Writes a file where the tools can read it; gives its path as they see it. */
  async write(name: string, content: Buffer | string): Promise<string> {
    await writeFile(join(this.#folder, name), content);
    return join('/mnt', name);
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

  /** Tells by the exit status whether a tool accepts, without a network to ask. */
  async #accepts(tool: string, args: readonly string[]): Promise<boolean> {
    const visit = { folder: this.#folder, command: 'unshare', args: ['--net', tool, ...args] };
    const { exitCode, output } = await inChroot(this.#root, visit);
    // From 125 up it is the shell that speaks: the tool did not run, which is no refusal.
    if (exitCode >= 125) throw new Error(`${tool} did not run: ${output}`);
    return exitCode === 0;
  }
}

import { sha256Hex } from '#contract/trust/digest.ts';
import { text } from '#platform/text.ts';

/** In the order in which user-data carries them. */
const names = ['bootstrap', 'unpack.py', 'fetch.py', 'socks5.py', 'landfall-boot.service'] as const;

/** A file of the bootstrap as it is in the source tree. */
export interface BootstrapFile {
  readonly name: (typeof names)[number];
  /** ASCII. */
  readonly content: string;
  /** 64 hex digits. */
  readonly sha256: string;
}

/** Reads the files of the bootstrap, which a release names and user-data carries word for word. */
export function bootstrapFiles(): BootstrapFile[] {
  return names.map((name) => {
    const content = text(`bootstrap/${name}`);
    return { name, content, sha256: sha256Hex(content) };
  });
}

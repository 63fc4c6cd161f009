import { sha256Hex } from '#contract/trust/digest.ts';
import { text } from '#platform/text.ts';

/** In the order of user-data. */
const names = ['bootstrap', 'unpack.py', 'fetch.py', 'socks5.py', 'landfall-boot.service'] as const;

/** A bootstrap file from the source tree. */
export interface BootstrapFile {
  readonly name: (typeof names)[number];
  /** ASCII. */
  readonly content: string;
  /** 64 hex digits. */
  readonly sha256: string;
}

/** Reads the bootstrap files. A release lists them by SHA-256; user-data embeds them verbatim. */
export function bootstrapFiles(): BootstrapFile[] {
  return names.map((name) => {
    const content = text(`bootstrap/${name}`);
    return { name, content, sha256: sha256Hex(content) };
  });
}

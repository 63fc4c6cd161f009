import { LandfallError } from '#contract/errors.ts';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { isPrivateKey } from '#explain/secret-signs.ts';
import { decodeText } from '#yaml/decode-text.ts';
import { attempt } from './outcome.ts';
import { type GivenFile, isReleaseFile, maxFileBytes } from './release.ts';
import { decompressed } from './result.ts';

/** What files are for. */
interface SortedFiles {
  readonly release: readonly GivenFile[];
  /** The text of a site.yaml. */
  readonly site?: string | undefined;
  /** User-data of another person. */
  readonly other?: Uint8Array | undefined;
  /** Why a file was not read. */
  readonly refused?: LandfallError | undefined;
}

/** Reads files that the user chose, and recognises user-data and site.yaml by their content. */
export async function sortFiles(chosen: Iterable<File>): Promise<SortedFiles> {
  const sorted = await Promise.all([...chosen].map(readFile));
  return {
    release: sorted.flatMap(({ release }) => release),
    site: sorted.find(({ site }) => site !== undefined)?.site,
    other: sorted.find(({ other }) => other)?.other,
    refused: sorted.find(({ refused }) => refused)?.refused,
  };
}

async function readFile(file: File): Promise<SortedFiles> {
  const { name, size } = file;
  if (size > maxFileBytes) return refuse('CONFIG_TOO_LARGE', `${name} is too large: ${size} bytes`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isReleaseFile(name)) return { release: [{ name, bytes }] };
  const start = decodeUtf8(bytes.subarray(0, 4096));
  if (isUserData(bytes, start)) return { release: [], other: await decompressed(bytes) };
  if (isPrivateKey(start)) return refuse('SITE_SECRET', `${name} is a private key`);
  if (!/\.ya?ml$/i.test(name)) {
    return refuse('CONFIG_INVALID', `${name} is no file that this page reads`);
  }
  const { value, error } = attempt(() => decodeText(bytes, name));
  return { release: [], site: value, refused: error };
}

/** User-data begins with a comment that names its form, with a header of MIME, or as gzip. */
function isUserData(bytes: Uint8Array, start: string): boolean {
  return (
    (bytes[0] === 0x1f && bytes[1] === 0x8b) ||
    /^(?:#cloud-|#!|#include|#part-handler|## template:|content-type:|mime-version:)/i.test(start)
  );
}

const hints = {
  CONFIG_TOO_LARGE: {
    en: 'Choose release.json, its .sig file, release.pub or site.yaml, not the bundle.',
    zh: '请选择 release.json、它的 .sig 文件、release.pub 或 site.yaml，而不是发布包。',
  },
  CONFIG_INVALID: {
    en: 'Choose release.json with its .sig file, site.yaml, or user-data.',
    zh: '请选择 release.json 和它的 .sig 文件、site.yaml 或 user-data。',
  },
  SITE_SECRET: {
    en: 'Keep it on your computer. The page needs the public key: the content of the .pub file.',
    zh: '请把它留在您的电脑上。这个页面需要公钥，即 .pub 文件的内容。',
  },
} as const;

function refuse(code: keyof typeof hints, message: string): SortedFiles {
  return { release: [], refused: new LandfallError(code, message, { hint: hints[code] }) };
}

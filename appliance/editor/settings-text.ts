import { LandfallError } from '#contract/errors.ts';
import { type ParsedSettings, parseSettings } from './jsonc/parse-settings.ts';
import type { SettingsFile } from './settings-file.ts';

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Parsed settings with the byte order mark of their file, which editors accept. */
interface DecodedSettings {
  readonly settings: ParsedSettings;
  readonly hasMark: boolean;
}

/**
 * Decodes and parses a settings file. A missing file is empty.
 * @throws LandfallError CONFIG_ENCODING, CONFIG_SYNTAX, CONFIG_INVALID
 */
export function decodeSettings({ path, bytes }: SettingsFile): DecodedSettings {
  const content = bytes ?? Buffer.alloc(0);
  const hasMark = content.subarray(0, mark.length).equals(mark);
  const text = textOf(hasMark ? content.subarray(mark.length) : content, path);
  return { settings: parseSettings(text, path), hasMark };
}

/** Encodes a text for a file. */
export function encodeSettings(text: string, hasMark: boolean): Buffer {
  return Buffer.concat([hasMark ? mark : Buffer.alloc(0), Buffer.from(text)]);
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new LandfallError('CONFIG_ENCODING', `${path} is not UTF-8 text`, {
      hint: 'Save it as UTF-8 in the editor. The file was not changed.',
      cause,
    });
  }
}

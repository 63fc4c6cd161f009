import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { decodeUtf8, fromBase64 } from '#contract/text/bytes.ts';
import { gunzip } from '#platform/gzip.ts';
import { decodeText } from '#yaml/decode-text.ts';
import type { Format } from '../user-data/providers.ts';
import { noContent, type ReadContent } from './content.ts';
import { type Finding, quoted, shown } from './finding.ts';
import { type Form, formOf, formOfType } from './forms.ts';
import { type Part, partsOf } from './multipart.ts';
import { readCloudConfig } from './read-cloud-config.ts';
import { readShellScript } from './read-shell-script.ts';

/** The largest limit of a provider. */
export const maxPasteBytes = 512 * 1024;

/** User-data, read without trust in it. */
export interface Paste {
  readonly format: Format | 'other';
  /** Without compression, with LF as line breaks. */
  readonly text: string;
  /** How `text` is written: a cloud-config alone, in a message, or a script. */
  readonly form: 'cloud-config' | 'multipart' | 'shell' | 'other';
  readonly content: ReadContent;
  readonly findings: readonly Finding[];
}

/**
 * Reads user-data. Bounded in time and memory.
 * @param file its name, for errors
 * @throws LandfallError CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX; USAGE for gzip in a web page
 */
export function readPaste(bytes: Uint8Array, file: string): Paste {
  if (bytes.length > maxPasteBytes) throw tooLarge(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const raw = decodeText(isGzip ? decompressed(bytes, file) : bytes, file);
  const text = raw.replaceAll('\r\n', '\n');
  const main = readForm(text, file);
  const isPlainGzip = isGzip && main.form === 'cloud-config';
  return {
    format: isPlainGzip ? 'gzip' : main.form,
    text,
    ...main,
    findings: [
      ...(raw === text ? [] : [windowsBreaks(raw)]),
      ...(isGzip && !isPlainGzip ? [packedTwice(main.form)] : []),
      ...oddCharacters(text),
      ...main.findings,
    ],
  };
}

function tooLarge(file: string): LandfallError {
  const message = `${file} is larger than ${formatBytes(maxPasteBytes)}`;
  return new LandfallError('CONFIG_TOO_LARGE', message, {
    hint: 'Check that this is user-data: no provider accepts more than 512 KiB.',
  });
}

function decompressed(bytes: Uint8Array, file: string): Uint8Array {
  if (gunzip === undefined) {
    throw new LandfallError('USAGE', 'gzip is not available in a web page', {
      hint: 'Decompress the file first, or run `landfall explain`.',
    });
  }
  const content = gunzip(bytes, maxPasteBytes);
  if (content) return content;
  const message = `${file} is not valid gzip, or has more than ${formatBytes(maxPasteBytes)} inside`;
  throw new LandfallError('CONFIG_ENCODING', message, { hint: 'Get the file again.' });
}

type Main = Pick<Paste, 'form' | 'content' | 'findings'>;

function readForm(text: string, file: string): Main {
  const parts = partsOf(text);
  if (parts) return readMessage(parts, file);
  const form = formOf(text);
  switch (form.name) {
    case 'cloud-config':
      return { form: 'cloud-config', content: readCloudConfig(text, file), findings: [] };
    case 'script':
      return { form: 'shell', content: readShellScript(text), findings: [] };
    case 'jinja':
      return readTemplate(text, file);
    default:
      return { form: 'other', content: noContent, findings: [otherForm(form, text)] };
  }
}

/** Reads a template like the text that it may become. Most templates are no YAML. */
function readTemplate(text: string, file: string): Main {
  const findings = [otherForm(formOf(text), text)];
  const inner = formOf(text.slice(text.indexOf('\n') + 1));
  try {
    if (inner.name === 'cloud-config')
      return { form: 'cloud-config', content: readCloudConfig(text, file), findings };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
  }
  return { form: 'other', content: noContent, findings };
}

/** Reads the first part with a cloud-config as that of Landfall. Every other part is a finding. */
function readMessage(parts: readonly Part[], file: string): Main {
  const isConfig = (part: Part) => formOfPart(part).name === 'cloud-config';
  const own = parts.find((part) => isConfig(part) && part.body.includes('/etc/landfall/'));
  const main = own ?? parts.find(isConfig);
  const isEncoded = main !== undefined && !/^[78]bit$/.test(main.encoding);
  const body = main && bodyOf(main);
  return {
    form: 'multipart',
    content:
      main && body !== undefined
        ? readCloudConfig(body, file, isEncoded ? main.lines.first - 1 : main.bodyLine - 1)
        : noContent,
    findings: [
      ...(isEncoded ? [encodedPart(main)] : []),
      ...parts.filter((part) => part !== main).map(otherPart),
    ],
  };
}

/** cloud-init determines the form of a part with text by its first line. */
function formOfPart(part: Part): Form {
  const form = formOfType(part.type);
  return form.name === 'text' ? formOf(bodyOf(part) ?? '') : form;
}

function bodyOf({ body, encoding }: Part): string | undefined {
  if (/^(?:[78]bit|binary)$/.test(encoding)) return body;
  const bytes = encoding === 'base64' ? fromBase64(body.replaceAll(/\s/g, '')) : undefined;
  return bytes && decodeUtf8(bytes).replaceAll('\r\n', '\n');
}

function otherPart(part: Part): Finding {
  const form = formOfPart(part);
  const name = part.fileName ?? part.type;
  const [line = ''] = (bodyOf(part) ?? '').split('\n', 1);
  return {
    ...{ kind: 'part', subject: shown(name), line: part.lines.first, covers: part.lines },
    text: {
      en: `another part, ${quoted(name)} (${quoted(part.type)}): ${form.meaning.en}; it begins with ${quoted(line)}`,
      zh: `另有一个部分 ${quoted(name)}（${quoted(part.type)}）：${form.meaning.zh}；开头是 ${quoted(line)}`,
    },
  };
}

function encodedPart({ encoding, lines }: Part): Finding {
  return {
    ...{ kind: 'part', subject: shown(encoding), line: lines.first, covers: lines },
    text: {
      en: `the part with the cloud-config is encoded as ${quoted(encoding)}; Landfall writes readable text`,
      zh: `包含 cloud-config 的部分用 ${quoted(encoding)} 编码；Landfall 写入的是可读文本`,
    },
  };
}

function otherForm({ meaning }: Form, text: string): Finding {
  const [line = ''] = text.split('\n', 1);
  return {
    ...{ kind: 'format', subject: shown(line), line: 1, covers: { first: 1, last: 1 } },
    text: {
      en: `the file begins with ${quoted(line)}: ${meaning.en}`,
      zh: `文件以 ${quoted(line)} 开头：${meaning.zh}`,
    },
  };
}

function packedTwice(form: string): Finding {
  return {
    ...{ kind: 'format', subject: `gzip of ${form}` },
    text: {
      en: `gzip with ${form} inside; Landfall compresses only a cloud-config`,
      zh: `gzip 里是 ${form}；Landfall 只压缩 cloud-config`,
    },
  };
}

function windowsBreaks(text: string): Finding {
  const line = text.slice(0, text.indexOf('\r\n')).split('\n').length;
  return {
    ...{ kind: 'line-breaks', subject: 'CR LF', line },
    text: {
      en: 'lines end with CR LF: a program on Windows saved the file again, and a shell cannot run it',
      zh: '行尾是 CR LF：文件被 Windows 上的程序重新保存过，shell 无法运行它',
    },
  };
}

const maxCharacters = 10;

/** Landfall writes printable ASCII. Other characters can look like ASCII, or break lines for one program only. */
function oddCharacters(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const found = /[^\t\x20-\x7e]/u.exec(line)?.[0];
    if (found === undefined) continue;
    if (findings.length === maxCharacters) break;
    const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const isQuote = /[\u2018-\u201f]/.test(found);
    findings.push({
      ...{ kind: 'character', subject: code, line: index + 1 },
      covers: { first: index + 1, last: index + 1 },
      text: {
        en: `the character ${code} in ${quoted(line)}${isQuote ? ' is a curly quote, as word processors write it' : ''}; Landfall writes ASCII only`,
        zh: `${quoted(line)} 中的字符 ${code}${isQuote ? ' 是文字处理软件写入的弯引号' : ''}；Landfall 只写入 ASCII`,
      },
    });
  }
  return findings;
}

/** Bounds and estimates of tokens, for what a provider does not count. */

/** Fewer than a tokenizer needs in text, so that estimates are high. */
const bytesPerToken = 3;
/** Tokens of an image, a recording or another file inside of a body. */
const tokensPerFile = 1500;
/** Base64 of at least this length is a file, in characters. */
const minFile = 2048;
/** Tokens of a request body that is not text, such as a recording. */
export const maxBinaryTokens = 4096;

/** Returns the estimated tokens of a text with some length in UTF-8. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/** Fields that hold files in base64. Providers reject anything else in them. */
const fileFields = new Set(['url', 'image_url', 'data', 'file_data', 'b64_json', 'images']);
const base64 = /^(?:data:[\w.+/-]{1,100}(?:;[\w.+=-]{1,100})*;base64,)?[\w+/-]+=*$/;

/** Objects of any content, which models read as text: calls of functions, their results and schemas. */
const textFields = new Set(['args', 'arguments', 'response', 'tools']);

/** Returns whether the members of an object are text and no files. */
function holdsText(name: string, value: object): boolean {
  // In OpenAI's responses, the input is a list or a text.
  const isCall = name === 'input' && !Array.isArray(value);
  return isCall || textFields.has(name) || ('type' in value && value.type === 'text');
}

function isFile(text: string): boolean {
  return text.length >= minFile && base64.test(text);
}

/**
 * Returns the most tokens that the JSON of a prompt can have: a tokenizer needs at most one for a byte,
 * and some need one for every digit. Every file in base64 counts as one image.
 * @param length bytes of the body
 */
export function maxPromptTokens(value: unknown, length: number): number {
  if (length < minFile) return length;
  let files = 0;
  let fileBytes = 0;
  const pending: Array<{ readonly name: string; readonly value: unknown }> = [{ name: '', value }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { name, value: each } = next;
    if (typeof each === 'string') {
      if (!fileFields.has(name) || !isFile(each)) continue;
      files += 1;
      fileBytes += each.length;
    } else if (typeof each !== 'object' || each === null || holdsText(name, each)) continue;
    else if (Array.isArray(each))
      for (const item of each)
        pending.push({ name: typeof item === 'string' ? name : '', value: item });
    else
      for (const [inner, item] of Object.entries(each)) pending.push({ name: inner, value: item });
  }
  return Math.max(0, length - fileBytes) + files * tokensPerFile;
}

/** Counts the bytes of a long text while it passes, where base64 counts as files. */
export class TextLength {
  #text = 0;
  #files = 0;
  /** Length of the base64 at the end. */
  #run = 0;

  push(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (isBase64[byte] === 1) this.#run += 1;
      else {
        this.#endRun();
        this.#text += 1;
      }
    }
  }

  /** The estimated tokens of the text so far. */
  get tokens(): number {
    const isFile = this.#run >= minFile;
    const text = this.#text + (isFile ? 0 : this.#run);
    return tokensOfBytes(text) + (this.#files + (isFile ? 1 : 0)) * tokensPerFile;
  }

  #endRun(): void {
    if (this.#run >= minFile) this.#files += 1;
    else this.#text += this.#run;
    this.#run = 0;
  }
}

/** 1 for the bytes of base64. A table, because answers have megabytes. */
const isBase64 = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\w+/=-]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Fields inside of these that are not text of the model. */
const noText = new Set([
  'id',
  'object',
  'type',
  'role',
  'model',
  'finish_reason',
  'finishReason',
  'logprobs',
  'item_id',
  'call_id',
  'obfuscation',
  'signature',
  'usage',
]);

/** Fields of an event with text of the model. Others repeat it, or describe the answer. */
const withText = ['choices', 'delta', 'candidates', 'message', 'content_block', 'response'];

/** Returns the bytes of all text in an event of a stream. */
export function textBytesOf(event: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  const pending: unknown[] = [];
  for (const name of withText) if (event[name] !== undefined) pending.push(event[name]);
  // At the end of a stream, OpenAI repeats the complete response.
  if (typeof event.response === 'object') pending.pop();
  while (pending.length > 0) {
    const each = pending.pop();
    if (typeof each === 'string')
      bytes += isFile(each) ? tokensPerFile * bytesPerToken : utf8Length(each);
    else if (Array.isArray(each)) for (const item of each) pending.push(item);
    else if (typeof each === 'object' && each !== null)
      for (const name in each)
        if (!noText.has(name)) pending.push((each as Readonly<Record<string, unknown>>)[name]);
  }
  return bytes;
}

/** Returns the length in UTF-8. A pair of surrogates counts as six bytes instead of four. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7ff) bytes += 2;
    else if (code > 0x7f) bytes += 1;
  }
  return bytes;
}

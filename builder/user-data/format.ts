import { LandfallError } from '#contract/errors.ts';
import { concatBytes } from '#contract/text/bytes.ts';
import { encodeUtf8 } from '#contract/text/utf8.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { gzip } from '#platform/gzip.ts';
import type { Format } from './formats.ts';

/**
 * Encodes a cloud-config in a format. The output is reproducible.
 * @throws LandfallError USAGE for gzip in a web page
 */
export function pack(text: string, format: Format): Uint8Array {
  const bytes = encodeUtf8(text);
  if (format === 'multipart') return multipart(bytes);
  return format === 'gzip' ? compressed(bytes) : bytes;
}

/**
 * Encodes a MIME message with one text/cloud-config part (RFC 2046, section 5.1), so that users can
 * add their own parts. The boundary is a hash of the content, so it cannot occur in it. Lines end with
 * LF, because cloud-init does not convert line breaks.
 */
function multipart(content: Uint8Array): Uint8Array {
  const boundary = `landfall-${sha256Hex(content).slice(0, 32)}`;
  return concatBytes(
    encodeUtf8(
      [
        `Content-Type: multipart/mixed; boundary="${boundary}"`,
        'MIME-Version: 1.0',
        '',
        `--${boundary}`,
        'Content-Type: text/cloud-config; charset="us-ascii"',
        'MIME-Version: 1.0',
        'Content-Transfer-Encoding: 7bit',
        'Content-Disposition: attachment; filename="landfall.yaml"',
        '',
        '',
      ].join('\n'),
    ),
    content,
    encodeUtf8(`\n--${boundary}--\n`),
  );
}

function compressed(content: Uint8Array): Uint8Array {
  if (gzip) return gzip(content);
  throw new LandfallError('USAGE', 'gzip is not available in a web page', {
    hint: 'Choose cloud-config or multipart, or run `landfall user-data`.',
  });
}

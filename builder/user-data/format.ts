import { gzipSync } from 'node:zlib';
import { sha256Hex } from '#contract/trust/digest.ts';

/** How user-data is packed. All of them are read by cloud-init on every supported system. */
export const formats = ['cloud-config', 'multipart', 'gzip'] as const;
export type Format = (typeof formats)[number];

/** Packs a cloud-config; the same text gives the same bytes. */
export function pack(text: string, format: Format): Buffer {
  const bytes = Buffer.from(text, 'ascii');
  if (format === 'multipart') return multipart(bytes);
  return format === 'gzip' ? gzip(bytes) : bytes;
}

/**
 * One text/cloud-config part (RFC 2046, section 5.1), for people who add parts of their own. The
 * boundary follows from the content, so it cannot occur in it. Lines end as the scripts' lines do:
 * cloud-init hands the part on as it stands.
 */
function multipart(content: Buffer): Buffer {
  const boundary = `landfall-${sha256Hex(content).slice(0, 32)}`;
  return Buffer.concat([
    Buffer.from(
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
    Buffer.from(`\n--${boundary}--\n`),
  ]);
}

const operatingSystemField = 9;
const unknownSystem = 255;

/** Node leaves the time out (RFC 1952, MTIME 0) but says on which system it ran. */
function gzip(content: Buffer): Buffer {
  const packed = gzipSync(content, { level: 9 });
  packed[operatingSystemField] = unknownSystem;
  return packed;
}

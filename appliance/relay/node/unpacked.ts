import { pipeline, type Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';

const unpackers = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
]);

/**
 * Decompresses a body, because filters cannot read a compressed one.
 * @throws Error with code ENCODING_UNKNOWN for an unsupported encoding
 */
export function unpacked(body: Readable, headers: Headers): Readable {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return body;
  const unpacker = unpackers.get(encoding);
  if (!unpacker) {
    body.destroy();
    throw Object.assign(new Error('unsupported content encoding'), {
      code: 'ENCODING_UNKNOWN',
    });
  }
  // The reader receives errors of both streams.
  return pipeline(body, unpacker(), () => {});
}

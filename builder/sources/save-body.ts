import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import type { Digest } from '#contract/trust/digest.ts';
import type { HttpResponse } from '#http/client.ts';
import type { Reporter, Transfer } from '../progress/reporter.ts';
import type { Statistics } from '../progress/statistics.ts';

interface SaveOptions {
  readonly path: string;
  /** Maximum size in bytes. */
  readonly max: number;
  readonly statistics: Statistics;
  readonly reporter: Reporter;
}

/**
 * Writes the body of a response to a file and hashes it on the way.
 * @throws LandfallError BLOB_SIZE when the body is too large, and network errors
 */
export async function saveBody(
  response: HttpResponse,
  { path, max, statistics, reporter }: SaveOptions,
): Promise<{ digest: Digest; size: number }> {
  const hash = createHash('sha256');
  const file = await open(path, 'w');
  const row = rowFor(response, reporter);
  let size = 0;
  try {
    for await (const chunk of response.body) {
      size += chunk.length;
      row?.advance(chunk.length);
      if (size > max) {
        throw new LandfallError('BLOB_SIZE', `${response.url.host} sent more than ${max} bytes`, {
          hint: 'Check the URL; this is not the expected file.',
        });
      }
      hash.update(chunk);
      await file.write(chunk);
    }
  } finally {
    row?.end();
    await file.close();
  }
  statistics.fetched += size;
  statistics.hashed += size;
  statistics.written += size;
  return { digest: `sha256:${hash.digest('hex')}`, size };
}

/** Starts a progress row if the size is known. */
function rowFor(response: HttpResponse, reporter: Reporter): Transfer | undefined {
  const total = Number(response.header('content-length') ?? 0);
  const name = response.url.pathname.split('/').at(-1) ?? '';
  return total > 0 ? reporter.transfer(name, total) : undefined;
}

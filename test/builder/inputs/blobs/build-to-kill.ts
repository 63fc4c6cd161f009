/*
 * A build in a separate process, for tests that kill it or remove its disk:
 * node build-to-kill.ts <store> <url> <digest> <size>. Prints an error as JSON.
 */

import { LandfallError } from '#contract/errors.ts';
import { isDigest } from '#contract/trust/digest.ts';
import { HttpClient } from '#http/client.ts';
import { silentReporter } from '../../../../builder/base/progress/reporter.ts';
import { newStatistics } from '../../../../builder/base/progress/statistics.ts';
import { Downloader } from '../../../../builder/inputs/blobs/download.ts';
import { BlobStore } from '../../../../builder/inputs/blobs/store.ts';

const [folder, url = '', digest = '', size] = process.argv.slice(2);
if (!isDigest(digest)) throw new TypeError('not a digest');

const client = new HttpClient({ env: {} });
const store = await BlobStore.open(folder);
const downloader = new Downloader({ store, reporter: silentReporter, statistics: newStatistics() });

try {
  await downloader.fetch({
    descriptor: { digest, size: Number(size), mediaType: 'application/octet-stream' },
    label: 'a layer',
    open: () => client.send({ url: new URL(url) }),
  });
} catch (error) {
  if (!(error instanceof LandfallError)) throw error;
  console.log(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));
}
await client.close();

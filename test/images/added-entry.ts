import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Pack } from 'tar-stream';
import { epoch } from '../setup/debian/mmdebstrap.ts';
import type { AddedEntry } from './stand-in.ts';

/** Writes one file, folder or link of the project into a layer. */
export async function addEntry(entry: AddedEntry, pack: Pack): Promise<void> {
  const about = { name: entry.path, mtime: new Date(epoch * 1000) };
  if ('folder' in entry) pack.entry({ ...about, type: 'directory', mode: 0o755 });
  else if ('link' in entry) pack.entry({ ...about, type: 'symlink', linkname: entry.link });
  else if ('text' in entry) pack.entry({ ...about, mode: modeOf(entry) }, entry.text);
  else {
    const { size } = await stat(entry.source);
    await pipeline(
      createReadStream(entry.source),
      pack.entry({ ...about, size, mode: modeOf(entry) }),
    );
  }
}

function modeOf({ executable }: { readonly executable?: boolean }): number {
  return executable ? 0o755 : 0o644;
}

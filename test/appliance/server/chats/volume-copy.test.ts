import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  adoptRestored,
  copyBeforeRestore,
  giveBack,
} from '../../../../appliance/server/chats/restored-copy.ts';
import {
  copyVolume,
  hasCopy,
  removeCopy,
  swapIn,
  verifyCopy,
} from '../../../../appliance/server/chats/volume-copy.ts';
import { Random } from '../../../differential/random.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';

const id = 'u1';
const copy = `_data.copy-${id}`;
const list = `${copy}.sha256`;
const failed = `_data.failed-${id}`;
const upload = 'uploads/0f8fad5b-d9cb-469f-a165-70867728950e_notes.txt';
const model = 'uploads/model.gguf';

let volume: string;
beforeEach(() => {
  volume = mkdtempSync(join(tmpdir(), 'landfall-volume-'));
  mkdirSync(join(volume, '_data'));
});
afterEach(() => rmSync(volume, { recursive: true }));

const at = (...path: string[]) => join(volume, ...path);

function write(path: string, content = path): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
}

/** Writes a database whose last row is only in its log, as that of a program that has ended. */
function writeDatabase(folder: string, text: string): void {
  mkdirSync(at(folder), { recursive: true });
  const [running, ended] = [at('running.db'), at(folder, 'webui.db')];
  const database = new DatabaseSync(running);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE chat (title)');
  database.exec('PRAGMA wal_checkpoint; PRAGMA wal_autocheckpoint = 0');
  database.prepare('INSERT INTO chat VALUES (?)').run(text);
  // The last program to close a database merges its log.
  for (const end of ['', '-wal', '-shm']) {
    writeFileSync(`${ended}${end}`, readFileSync(`${running}${end}`));
  }
  database.close();
  rmSync(running);
}

function chats(folder: string): unknown[] {
  using database = new DatabaseSync(at(folder, 'webui.db'));
  const rows = database.prepare('SELECT title FROM chat').all();
  return rows.map(({ title }) => title);
}

describe('the copy of a volume', () => {
  it('links uploads of users, and copies all other files', async () => {
    for (const name of [upload, model, 'uploads/sub/notes.txt', 'cache/notes.txt']) {
      write(`_data/${name}`);
    }
    await copyVolume(volume, id);
    const isLinked = (name: string) =>
      lstatSync(at('_data', name)).ino === lstatSync(at(copy, name)).ino;
    expect(isLinked(upload)).toBe(true);
    for (const name of [model, 'uploads/sub/notes.txt', 'cache/notes.txt']) {
      expect(isLinked(name)).toBe(false);
      expect(readFileSync(at(copy, name), 'utf8')).toBe(`_data/${name}`);
    }
    const listed = readFileSync(at(list), 'utf8');
    expect(listed).toMatch(/^[0-9a-f]{64} {2}cache\/notes\.txt$/m);
    expect(listed).not.toContain(upload);
  });

  it('copies a symbolic link as a link, and does not follow it', async () => {
    write('outside/secret', 'secret');
    symlinkSync('../outside', at('_data/folder'));
    symlinkSync('/nothing', at('_data/nothing'));
    mkdirSync(at('_data/uploads'));
    symlinkSync('../../outside/secret', at('_data', upload));
    await copyVolume(volume, id);
    expect(readlinkSync(at(copy, 'folder'))).toBe('../outside');
    expect(readlinkSync(at(copy, 'nothing'))).toBe('/nothing');
    expect(readlinkSync(at(copy, upload))).toBe('../../outside/secret');
    expect(readFileSync(at(list), 'utf8')).toBe('');
  });

  it('leaves out sockets and pipes', async () => {
    write('_data/notes.txt');
    execFileSync('mkfifo', [at('_data/pipe')]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at('_data/socket'), resolve));
    try {
      await copyVolume(volume, id);
    } finally {
      server.close();
    }
    expect(readdirSync(at(copy))).toEqual(['notes.txt']);
  });

  it('keeps owners, modes and times of files and folders', async () => {
    const [mode, time] = [0o640, 1_000_000_000];
    // Only root can give files to others.
    const owner = process.getuid?.() === 0 ? 1234 : (process.getuid?.() ?? 0);
    write('_data/sub/notes.txt');
    for (const name of ['_data/sub/notes.txt', '_data/sub', '_data']) {
      chmodSync(at(name), name.endsWith('txt') ? mode : 0o751);
      chownSync(at(name), owner, process.getgid?.() ?? 0);
      utimesSync(at(name), time, time);
    }
    await copyVolume(volume, id);
    const of = (name: string) => {
      const { mode: all, uid, mtimeMs } = lstatSync(at(copy, name));
      return { mode: all & 0o7777, uid, time: mtimeMs / 1000 };
    };
    expect(of('sub/notes.txt')).toEqual({ mode, uid: owner, time });
    expect(of('sub')).toEqual({ mode: 0o751, uid: owner, time });
    expect(lstatSync(at(copy))).toMatchObject({ uid: owner });
  });

  it('merges the write-ahead log of a database, and removes it', async () => {
    writeDatabase('_data', 'The last chat.');
    await copyVolume(volume, id);
    expect(readdirSync(at(copy))).toEqual(['webui.db']);
    expect(chats(copy)).toEqual(['The last chat.']);
    expect(existsSync(at('_data/webui.db-wal'))).toBe(true);
  });

  it('replaces a copy that is not complete', async () => {
    write('_data/notes.txt');
    write(`${copy}/other.txt`);
    write(list);
    await copyVolume(volume, id);
    expect(readdirSync(at(copy))).toEqual(['notes.txt']);
    await expect(verifyCopy(volume, id)).resolves.toBeUndefined();
  });

  it.each(['webui.db', 'vector_db/chroma.sqlite3'])('rejects a damaged %s', async (name) => {
    write(`_data/${name}`, 'no database'.repeat(500));
    await expect(copyVolume(volume, id)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: `the database ${name} of the chat UI is damaged`,
    });
    expect(existsSync(at(list))).toBe(false);
  });

  it('rejects a database with a damaged page', async () => {
    const rows =
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 999) SELECT i || ' text' FROM n";
    const database = new DatabaseSync(at('_data/webui.db'));
    database.exec(`CREATE TABLE chat (title); INSERT INTO chat ${rows}`);
    database.close();
    const bytes = readFileSync(at('_data/webui.db'));
    writeFileSync(at('_data/webui.db'), bytes.fill(0xff, 4096, 8192));
    await expect(copyVolume(volume, id)).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });
});

describe('the verification of a copy', () => {
  beforeEach(async () => {
    for (const name of ['a.txt', 'b.txt', upload]) write(`_data/${name}`);
    await copyVolume(volume, id);
  });

  it('names files that are missing or differ', async () => {
    writeFileSync(at(copy, 'a.txt'), 'other');
    rmSync(at(copy, 'b.txt'));
    await expect(verifyCopy(volume, id)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      problems: [{ message: 'a.txt differs' }, { message: 'b.txt differs' }],
    });
  });

  it('accepts a copy that is in place of the data', async () => {
    await swapIn(volume, id);
    await expect(verifyCopy(volume, id)).resolves.toBeUndefined();
  });
});

describe('the swap of a copy', () => {
  const [done, kept] = ['the copy', 'the data'];
  it.each([
    ['a complete copy', ['_data', copy, list], done],
    ['a power cut after the first rename', [failed, copy, list], done],
    ['a power cut before the second rename', [failed, copy], done],
    ['data that Docker created meanwhile', ['_data', failed, copy, list], done],
    ['such data without the list', ['_data', failed, copy], done],
    ['an earlier swap', ['_data', failed], kept],
    ['an incomplete copy', ['_data', copy], kept],
    ['no copy', ['_data'], kept],
  ])('recognises %s', async (_state, names, expected) => {
    rmSync(at('_data'), { recursive: true });
    for (const name of names) {
      if (name === list) write(list);
      else write(`${name}/text`, name === copy ? 'the copy' : 'the data');
    }
    // Again, as after a power cut at its end.
    for (let turn = 0; turn < 2; turn += 1) {
      await swapIn(volume, id);
      expect(readFileSync(at('_data/text'), 'utf8')).toBe(expected);
      const left = names.includes(copy) && expected === kept ? [copy] : [];
      const old = expected === done || names.includes(failed) ? [failed] : [];
      expect(readdirSync(volume)).toEqual(['_data', ...left, ...old]);
    }
  });

  it('leaves no write-ahead log of newer data beside the database', async () => {
    writeDatabase('_data', 'A chat of before.');
    await copyVolume(volume, id);
    rmSync(at('_data'), { recursive: true });
    writeDatabase('_data', 'A chat of the newer release.');
    await swapIn(volume, id);
    expect(readdirSync(at('_data'))).toEqual(['webui.db']);
    expect(chats('_data')).toEqual(['A chat of before.']);
    expect(readdirSync(at(failed))).toContain('webui.db-wal');
  });
});

describe('the chats of a restored backup', () => {
  const restored = '_data.restore/backup/ui-data';

  it('makes the chats a copy that is verified and swapped in', async () => {
    write('_data/notes.txt', 'of now');
    writeDatabase(restored, 'A chat of before.');
    write(`${restored}/${upload}`, 'an upload');
    write(`${restored}/notes.txt`, 'of before');
    expect(await adoptRestored(volume, id)).toMatchObject({ chats: null });
    expect(readdirSync(at('_data.restore/backup'))).toEqual([]);
    expect(readdirSync(at(copy)).sort()).toEqual(['notes.txt', 'uploads', 'webui.db']);
    expect(readFileSync(at(list), 'utf8')).toMatch(/^[0-9a-f]{64} {2}notes\.txt$/m);
    expect(readFileSync(at('_data/notes.txt'), 'utf8')).toBe('of now');
    await verifyCopy(volume, id);
    await swapIn(volume, id);
    expect(chats('_data')).toEqual(['A chat of before.']);
    expect(readFileSync(at('_data', upload), 'utf8')).toBe('an upload');
    expect(readFileSync(at(failed, 'notes.txt'), 'utf8')).toBe('of now');
  });

  it('names a restored file that was damaged since', async () => {
    write(`${restored}/notes.txt`, 'of before');
    await adoptRestored(volume, id);
    write(`${copy}/notes.txt`, 'damaged');
    await expect(verifyCopy(volume, id)).rejects.toMatchObject({
      problems: [{ message: 'notes.txt differs' }],
    });
  });

  it.each<[string, () => void]>([
    ['no data', () => mkdirSync(at('_data.restore/backup'), { recursive: true })],
    ['no files', () => {}],
    ['a file in place of the data', () => write(restored)],
    [
      'a link to the data of now',
      () => {
        mkdirSync(at('_data.restore/backup'), { recursive: true });
        symlinkSync('../../_data', at(restored));
      },
    ],
  ])('rejects a backup with %s', async (_flaw, arrange) => {
    write('_data/notes.txt', 'of now');
    arrange();
    await expect(adoptRestored(volume, id)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: 'the backup has no data of the chat UI',
    });
    expect(readFileSync(at('_data/notes.txt'), 'utf8')).toBe('of now');
    expect(readdirSync(volume)).not.toContain(copy);
  });

  it.each(['webui.db', 'vector_db/chroma.sqlite3'])(
    'rejects a backup with a damaged %s',
    async (name) => {
      write(`${restored}/${name}`, 'no database'.repeat(500));
      await expect(adoptRestored(volume, id)).rejects.toMatchObject({
        code: 'STATE_INVALID',
        message: `the database ${name} of the chat UI is damaged`,
      });
      expect(await hasCopy(volume, id)).toBe(false);
      // Without its list it is never swapped in.
      await swapIn(volume, id);
      expect(readdirSync(volume)).not.toContain(failed);
    },
  );
});

describe('the copy before a restore', () => {
  it('merges databases that are not damaged', async () => {
    writeDatabase('_data', 'The last chat.');
    expect(await copyBeforeRestore(volume, id)).toMatchObject({ chats: null });
    expect(readdirSync(at(copy))).toEqual(['webui.db']);
    expect(chats(copy)).toEqual(['The last chat.']);
  });

  it('completes the copy of a damaged database, which comes back as it was', async () => {
    const damaged = 'no database'.repeat(500);
    write('_data/webui.db', damaged);
    write('_data/webui.db-wal', 'a log');
    for (const name of ['notes.txt', upload]) write(`_data/${name}`);
    expect(await copyBeforeRestore(volume, id)).toBeUndefined();
    expect(await hasCopy(volume, id)).toBe(true);
    rmSync(at('_data'), { recursive: true });
    writeDatabase('_data', 'A restored chat.');
    await verifyCopy(volume, id);
    await swapIn(volume, id);
    expect(readFileSync(at('_data/webui.db'), 'utf8')).toBe(damaged);
    for (const name of ['notes.txt', upload]) {
      expect(readFileSync(at('_data', name), 'utf8')).toBe(`_data/${name}`);
    }
  });

  it('completes the copy of a database that is damaged anywhere', async () => {
    const database = new DatabaseSync(at('whole.db'));
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE chat (title)');
    for (let row = 0; row < 300; row += 1) {
      database.prepare('INSERT INTO chat VALUES (?)').run(`${row} text`.repeat(9));
    }
    database.close();
    const whole = readFileSync(at('whole.db'));
    const random = new Random(11);
    for (let turn = 0; turn < fuzzRuns(150); turn += 1) {
      const bytes = Buffer.from(whole);
      // The header decides how the rest is read.
      const end = turn % 2 === 0 ? 110 : bytes.length;
      for (let change = 0; change < 8; change += 1) bytes[random.below(end)] = random.below(256);
      writeFileSync(at('_data/webui.db'), bytes.subarray(0, turn % 3 === 0 ? 5000 : undefined));
      await copyBeforeRestore(volume, id);
      expect(await hasCopy(volume, id)).toBe(true);
      await verifyCopy(volume, id);
      await removeCopy(volume, id);
      expect(readdirSync(volume).sort()).toEqual(['_data', 'whole.db']);
    }
  });
});

describe('restored chats that did not work', () => {
  it('become a copy again, also after a power cut in between', async () => {
    write(`_data.failed-t1/${upload}`, 'an upload');
    writeDatabase('_data.failed-t1', 'The only copy of a chat.');
    const look = async () => {
      await giveBack(volume, `t1:${id}`);
      await verifyCopy(volume, id);
      expect(readdirSync(volume).sort()).toEqual(['_data', copy, list]);
      expect(chats(copy)).toEqual(['The only copy of a chat.']);
    };
    await look();
    await look();
    rmSync(at(list));
    await look();
  });

  it('stay away if the copy is still there', async () => {
    write('_data.failed-t1/notes.txt', 'of a failed restore');
    write(`${copy}/notes.txt`, 'of before');
    write(list, '');
    await giveBack(volume, `t1:${id}`);
    expect(readFileSync(at(copy, 'notes.txt'), 'utf8')).toBe('of before');
  });
});

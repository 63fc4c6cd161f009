import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { timestamp } from './database.ts';
import { form, messages, refusal } from './replies.ts';
import type { UiSettings } from './settings.ts';
import type { User } from './users.ts';
import { Vectors } from './vectors.ts';

/** The column `data` of a file. */
interface FileData {
  readonly status: 'completed' | 'failed';
  readonly content?: string;
  readonly error?: string;
}

/** Files on one page of the list (routers/files.py). */
const pageSize = 50;

/** A file as the API returns it. */
interface StoredFile {
  readonly id: string;
  readonly user_id: string;
  readonly filename: string;
  readonly path: string;
  readonly data: FileData;
  readonly meta: object;
}

/**
 * Uploaded documents, in the data volume (Open WebUI 0.12, routers/files.py and
 * routers/retrieval.py).
 */
export class Documents {
  readonly #database: DatabaseSync;
  readonly #settings: UiSettings;
  readonly #vectors: Vectors;
  readonly #uploads: string;

  constructor(database: DatabaseSync, settings: UiSettings) {
    this.#database = database;
    this.#settings = settings;
    this.#vectors = new Vectors(settings.data);
    this.#uploads = join(settings.data, 'uploads');
    mkdirSync(this.#uploads, { recursive: true });
  }

  /** Returns undefined for unrelated requests. */
  async answer(request: Request, pathname: string, user: User): Promise<Response | undefined> {
    if (request.method === 'POST' && pathname === '/api/v1/files/') {
      return await this.#upload(request, user);
    }
    if (request.method === 'POST' && pathname === '/api/v1/retrieval/query/doc') {
      return await this.#query(request, user);
    }
    if (request.method === 'GET' && pathname === '/api/v1/files/') return this.#list(request, user);
    const [, id, content] = /^\/api\/v1\/files\/([\w-]+)(\/content)?$/.exec(pathname) ?? [];
    if (id === undefined) return undefined;
    const file = this.#read(id, user);
    if (!file) return refusal(404, messages.missing);
    if (content) return this.#content(file);
    if (request.method === 'DELETE') this.#remove(file);
    return Response.json(file);
  }

  /** Lists files, to administrators those of all accounts (BYPASS_ADMIN_ACCESS_CONTROL is on). */
  #list(request: Request, user: User): Response {
    const { searchParams } = new URL(request.url);
    const page = Number(searchParams.get('page') ?? 1);
    if (!(page >= 1)) return refusal(422, 'Input should be greater than or equal to 1');
    const rows = this.#database
      .prepare(
        `SELECT id, user_id FROM file WHERE user_id = ? OR ? ORDER BY updated_at DESC, id DESC`,
      )
      .all(user.id, user.role === 'admin' ? 1 : 0);
    const items = rows.slice((page - 1) * pageSize, page * pageSize).flatMap(({ id }) => {
      const { path: _path, ...file } = this.#read(String(id), user) as StoredFile;
      const { content: _content, ...data } = file.data;
      return searchParams.get('content') === 'false' ? { ...file, data } : file;
    });
    return Response.json({ items, total: rows.length });
  }

  #content({ path, meta }: StoredFile): Response {
    if (!existsSync(path)) return refusal(404, messages.missing);
    const { content_type: type = 'text/plain' } = meta as { content_type?: string };
    return new Response(readFileSync(path), { headers: { 'content-type': type } });
  }

  async #upload(request: Request, user: User): Promise<Response> {
    const given = (await request.formData()).get('file');
    if (!(given instanceof File)) return refusal(422, 'no file');
    const id = randomUUID();
    const filename = basename(given.name);
    const bytes = Buffer.from(await given.arrayBuffer());
    const path = join(this.#uploads, `${id}_${filename}`);
    writeFileSync(path, bytes);
    const data = await this.#embed(id, bytes.toString('utf8'));
    const meta = { name: filename, content_type: given.type, size: bytes.length, data: {} };
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.#database
      .prepare('INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        ...[id, user.id, hash, filename, path, JSON.stringify(data), JSON.stringify(meta)],
        ...[timestamp(), timestamp()],
      );
    return Response.json({ status: true, ...this.#read(id, user) });
  }

  async #embed(id: string, content: string): Promise<FileData> {
    try {
      const vector = await vectorOf(content, this.#settings);
      this.#vectors.save(`file-${id}`, { text: content, vector });
      return { status: 'completed', content };
    } catch (error) {
      return { status: 'failed', error: (error as Error).message };
    }
  }

  async #query(request: Request, user: User): Promise<Response> {
    const { collection_name: name = '', query = '' } = await form(request);
    if (!this.#read(name.replace(/^file-/, ''), user)) return refusal(403, messages.prohibited);
    const stored = this.#vectors.get(name);
    if (!stored) return Response.json(null);
    const asked = await vectorOf(query, this.#settings);
    const distance = asked.reduce(
      (sum, value, index) => sum + value * (stored.vector[index] ?? 0),
      0,
    );
    return Response.json({ ids: [[name]], distances: [[distance]], documents: [[stored.text]] });
  }

  /** Returns a file that an account may read: its own, or as administrator any. */
  #read(id: string, user: User): StoredFile | undefined {
    const row = this.#database.prepare('SELECT * FROM file WHERE id = ?').get(id);
    if (!row || (row.user_id !== user.id && user.role !== 'admin')) return undefined;
    const [data, meta] = [row.data, row.meta].map((text) => JSON.parse(String(text)));
    return { ...(row as unknown as StoredFile), data, meta };
  }

  #remove({ id, path }: StoredFile): void {
    this.#database.prepare('DELETE FROM file WHERE id = ?').run(id);
    this.#vectors.remove(`file-${id}`);
    rmSync(path, { force: true });
  }
}

/**
 * Without Ollama, the model in the image always succeeds.
 * @throws Error with the original's message
 */
async function vectorOf(text: string, { engine, embedding }: UiSettings): Promise<number[]> {
  if (embedding.engine !== 'ollama') return [1];
  const answer = await fetch(`${engine}/api/embed`, {
    method: 'POST',
    body: JSON.stringify({ input: [text], model: embedding.model, truncate: true }),
  });
  const body = (await answer.json()) as { embeddings?: number[][]; error?: string };
  const [vector] = body.embeddings ?? [];
  if (answer.ok && vector) return vector;
  throw new Error(`Ollama embed error (${answer.status}): ${body.error}`);
}

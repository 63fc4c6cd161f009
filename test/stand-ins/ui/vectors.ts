import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A text with its vector. */
interface Embedded {
  readonly text: string;
  readonly vector: readonly number[];
}

/** The vectors of documents, in a database of their own as with the original's Chroma. */
export class Vectors {
  readonly #database: DatabaseSync;

  constructor(data: string) {
    const folder = join(data, 'vector_db');
    mkdirSync(folder, { recursive: true });
    this.#database = new DatabaseSync(join(folder, 'chroma.sqlite3'));
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS embedding (collection TEXT PRIMARY KEY, text TEXT, vector JSON)',
    );
  }

  get(collection: string): Embedded | undefined {
    const query = 'SELECT text, vector FROM embedding WHERE collection = ?';
    const row = this.#database.prepare(query).get(collection);
    return row && { text: String(row.text), vector: JSON.parse(String(row.vector)) };
  }

  save(collection: string, { text, vector }: Embedded): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO embedding VALUES (?, ?, ?)')
      .run(collection, text, JSON.stringify(vector));
  }

  remove(collection: string): void {
    this.#database.prepare('DELETE FROM embedding WHERE collection = ?').run(collection);
  }
}

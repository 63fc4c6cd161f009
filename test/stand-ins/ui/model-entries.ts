import type { DatabaseSync } from 'node:sqlite';
import type { User } from './users.ts';

/** What an administrator sets for a model (Open WebUI 0.12, models/models.py). */
export interface ModelEntry {
  readonly id: string;
  readonly name: string;
  readonly meta: { readonly hidden?: boolean };
  readonly params: { readonly max_tokens?: number };
  readonly access_grants: ReadonlyArray<{
    readonly principal_type: string;
    readonly principal_id: string;
    readonly permission: string;
  }>;
}

/** The entries of models, in the data volume. */
export class ModelEntries {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(id: string): ModelEntry | undefined {
    const row = this.#database.prepare('SELECT value FROM model WHERE id = ?').get(id);
    return row && (JSON.parse(String(row.value)) as ModelEntry);
  }

  /** Returns whether an account may use a model: without an entry, administrators only. */
  allows(user: User, id: string): boolean {
    if (user.role === 'admin') return true;
    return (this.get(id)?.access_grants ?? []).some(
      ({ principal_id, permission }) =>
        (principal_id === '*' || principal_id === user.id) && permission === 'read',
    );
  }

  /** Answers `/api/v1/models/…` (routers/models.py); undefined for unrelated requests. */
  async answer(request: Request, pathname: string, user: User): Promise<Response | undefined> {
    if (!pathname.startsWith('/api/v1/models/')) return undefined;
    if (user.role !== 'admin') return Response.json({ detail: 'Unauthorized' }, { status: 401 });
    if (request.method === 'GET' && pathname === '/api/v1/models/base') {
      const rows = this.#database.prepare('SELECT value FROM model').all();
      return Response.json(rows.map(({ value }) => JSON.parse(String(value))));
    }
    if (request.method !== 'POST' || pathname !== '/api/v1/models/create') return undefined;
    const entry = (await request.json()) as ModelEntry;
    if (!entry.id || !entry.name || !entry.meta || !entry.params) {
      return Response.json({ detail: 'Field required' }, { status: 422 });
    }
    if (this.get(entry.id)) {
      return Response.json(
        { detail: 'Uh-oh! This model id is already registered.' },
        { status: 401 },
      );
    }
    this.#database.prepare('INSERT INTO model VALUES (?, ?)').run(entry.id, JSON.stringify(entry));
    return Response.json(entry);
  }
}

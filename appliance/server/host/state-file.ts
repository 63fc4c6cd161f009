import type { z } from 'zod';
import { type ErrorDetails, LandfallError } from '#contract/errors.ts';
import { readJson } from '#contract/text/json.ts';
import { readText, removeFile, writeText } from './files.ts';
import type { Host } from './host.ts';

interface StateFileOptions<Initial> {
  /** What `read` returns for a missing file, and for a damaged one without a hint; default: undefined. */
  readonly initial?: Initial;
  /** What the administrator does about a damaged file. With it, the file is an error. */
  readonly hint?: ErrorDetails['hint'];
  /** Permissions; default: 0o644. */
  readonly mode?: number;
  /** Whether the file is one line. */
  readonly isLine?: boolean;
}

/** A JSON file in which the server keeps a value. */
export class StateFile<Schema extends z.ZodType, Initial = undefined> {
  readonly path: string;
  readonly #schema: Schema;
  readonly #options: StateFileOptions<Initial>;

  /** @param path relative to the root of the server */
  constructor(path: string, schema: Schema, options: StateFileOptions<Initial> = {}) {
    this.path = path;
    this.#schema = schema;
    this.#options = options;
  }

  /**
   * Returns the value; the initial one if the file is missing, damaged or not readable.
   * @throws LandfallError STATE_INVALID for a damaged file with a hint
   */
  read(host: Host): Promise<z.output<Schema> | (Initial extends undefined ? undefined : never)>;
  async read(host: Host): Promise<unknown> {
    const { initial, hint } = this.#options;
    const text = await readText(host, this.path).catch(() => undefined);
    const value = readJson(this.#schema, text);
    if (value === undefined && text !== undefined && hint !== undefined) {
      throw new LandfallError('STATE_INVALID', `/${this.path} is damaged`, { hint });
    }
    return value === undefined ? initial : value;
  }

  /** Writes the value atomically. It is on disk when this returns. */
  async write(host: Host, value: z.output<Schema>): Promise<void> {
    const { mode, isLine } = this.#options;
    const text = JSON.stringify(value, null, isLine ? 0 : 2);
    await writeText(host, this.path, `${text}\n`, mode === undefined ? {} : { mode });
  }

  /** Removes the file durably. */
  async remove(host: Host): Promise<void> {
    await removeFile(host, this.path);
  }
}

/** Returns the JSON of a file; undefined if it is missing, damaged or not readable. */
export async function readJsonFile<Schema extends z.ZodType>(
  host: Host,
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  return await new StateFile(path, schema).read(host);
}

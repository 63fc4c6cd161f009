import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../../docs/relay.md', import.meta.url), 'utf8');

/** Returns the endpoints that docs/relay.md names as forwarded: `chat/completions`. */
export function documentedEndpoints(): string[] {
  const [, list = ''] =
    /forwards only requests to models, and the list of models:([^.]*)\./.exec(page) ?? [];
  return [...list.matchAll(/`([\w/<>]+)`/g)].map(([, name = '']) => name);
}

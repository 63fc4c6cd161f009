import { type Filter, joined } from './filter.ts';
import { HideInLines, HideInText } from './hide-account.ts';
import { HideKey } from './hide-key.ts';

/**
 * What is taken out of an answer: the provider's key wherever it stands, and out of errors, which some
 * providers send with status 200 or in the middle of a stream, every key and every name of the account.
 * @param type the answer's content type, or nothing
 * @param key the provider's own
 */
export function answerFilter(type: string, key: string): Filter {
  const hideKey = new HideKey(key);
  const hideAccount = accountFilter(type, key);
  if (!hideAccount) return hideKey;
  return {
    push: (piece) => hideAccount.push(hideKey.push(piece)),
    end: () => joined(hideAccount.push(hideKey.end()), hideAccount.end()),
  };
}

function accountFilter(type: string, key: string): Filter | undefined {
  const [kind = ''] = type.toLowerCase().split(/\s*;/);
  if (/^(?:text\/event-stream|application\/(?:x-)?(?:ndjson|jsonl))$/.test(kind))
    return new HideInLines(key);
  return /^(?:|text\/plain|.*[/+]json)$/.test(kind) ? new HideInText(key) : undefined;
}

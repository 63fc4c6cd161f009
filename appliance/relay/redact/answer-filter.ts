import { type Filter, joined } from './filter.ts';
import { HideInLines, HideInText } from './hide-account.ts';
import { HideKey } from './hide-key.ts';

/**
 * Returns the filter of a response body. It removes the provider's key everywhere. From errors it also
 * removes every key and every account identifier. Some providers send errors with status 200 or in the
 * middle of a stream.
 * @param type content type of the response; may be empty
 * @param key the provider's key
 */
export function answerFilter(type: string, key: string): Filter {
  const hideKey = new HideKey(key);
  const hideAccount = accountFilter(type, key);
  if (!hideAccount) return hideKey;
  return {
    push: (chunk) => hideAccount.push(hideKey.push(chunk)),
    end: () => joined(hideAccount.push(hideKey.end()), hideAccount.end()),
  };
}

function accountFilter(type: string, key: string): Filter | undefined {
  const [kind = ''] = type.toLowerCase().split(/\s*;/);
  if (/^(?:text\/event-stream|application\/(?:x-)?(?:ndjson|jsonl))$/.test(kind))
    return new HideInLines(key);
  return /^(?:|text\/plain|.*[/+]json)$/.test(kind) ? new HideInText(key) : undefined;
}

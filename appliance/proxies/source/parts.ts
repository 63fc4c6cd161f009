import type { ProxyEntry } from '../model/proxy.ts';
import type { Group, Rule } from '../model/rule.ts';
import type { Settings } from '../model/settings.ts';
import type { Position } from './source.ts';

/** An entry and its position in the source. */
export interface Located<Entry> {
  readonly entry: Entry;
  readonly position: Position;
}

/** Settings outside of lists. */
export type General = Partial<
  Pick<Settings, 'port' | 'socks-port' | 'allow-lan' | 'mode' | 'log-level' | 'dns'>
>;

/** What a reader of a format found: valid entries, which may refer to missing ones. */
export interface Parts {
  readonly proxies: readonly Located<ProxyEntry>[];
  readonly groups: readonly Located<Group>[];
  readonly rules: readonly Located<Rule>[];
  readonly general: General;
  /** Names of entries with problems. References to them are not reported again. */
  readonly failed: ReadonlySet<string>;
}

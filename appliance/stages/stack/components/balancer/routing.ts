import { type EngineGroup, isBackup, type Offer, offersOf, portOfGroup } from './groups.ts';

type Kind = 'generate' | 'embed' | 'info';

const conditions: Readonly<Record<Kind, string>> = {
  generate: 'generates',
  embed: 'embeds',
  info: 'informs',
};

/**
 * Renders the rules that choose the backend of a request. With one group, its kind decides. With
 * several, a request also goes to a group with its model: to that of its chat, else to one with a free
 * slot, else to the one with the shortest queue, else to any that is healthy.
 */
export function routingRules(groups: readonly EngineGroup[]): string[] {
  const kinds: readonly Kind[] = ['generate', 'embed', 'info'];
  if (groups.length === 1) return kinds.map((kind) => use(kind, 1, []));
  const offers = offersOf(groups);
  return [
    "  http-request set-var(txn.model) req.body,json_query('$.model') if METH_POST",
    ...(['generate', 'embed'] as const).flatMap((kind) =>
      groups.map(
        ({ number }) =>
          `  http-request set-var(txn.${kind}_${number}) avg_queue(${kind}-${number})`,
      ),
    ),
    ...offers.flatMap(({ models }, index) =>
      models
        .flatMap(spellings)
        .map((model) => `  acl offer-${index + 1} var(txn.model) -m str -i ${model}`),
    ),
    ...kinds.flatMap((kind) =>
      offers.flatMap((offer, index) => offerRules(kind, offer, index + 1)),
    ),
    ...groups
      .slice(1)
      .map(({ number }) => use('info', number, [`{ dst_port ${portOfGroup(number)} }`])),
    ...kinds.map((kind) => use(kind, 1, [])),
  ];
}

/** Ollama adds the tag `latest` to a name without one. */
function spellings(model: string): string[] {
  return model.endsWith(':latest') ? [model, model.slice(0, -':latest'.length)] : [model];
}

function offerRules(kind: Kind, { groups }: Offer, index: number): string[] {
  const offered = `offer-${index}`;
  const [first] = groups;
  if (!first) return [];
  const isUp = ({ number }: EngineGroup) => `{ nbsrv(${kind}-${number}) gt 0 }`;
  const rule = (group: EngineGroup, when: readonly string[]) =>
    use(kind, group.number, [offered, ...when]);
  // Backups are for requests that no other group can answer.
  const active = groups.filter((group) => !isBackup(group));
  const isAlone = groups.length === 1;
  const waiting = isAlone || kind === 'info' ? [] : active;
  return [
    ...(isAlone || kind !== 'generate' ? [] : groups).map((group) =>
      rule(group, [`{ var(txn.chat),in_table(generate-${group.number}) }`, isUp(group)]),
    ),
    ...waiting.map((group) => rule(group, [`{ be_conn_free(${kind}-${group.number}) gt 0 }`])),
    ...(waiting.length > 1 ? waiting : []).map((group) =>
      rule(group, [isUp(group), ...isShortest(kind, group, active)]),
    ),
    ...(isAlone ? [] : groups).map((group) => rule(group, [isUp(group)])),
    rule(first, []),
  ];
}

/** The queues of groups that are down are longer than those of healthy ones, or empty. */
function isShortest(kind: Kind, group: EngineGroup, groups: readonly EngineGroup[]): string[] {
  return groups
    .filter((other) => other !== group)
    .map((other) => `{ avg_queue(${kind}-${group.number}),sub(txn.${kind}_${other.number}) le 0 }`);
}

function use(kind: Kind, number: number, when: readonly string[]): string {
  return `  use_backend ${kind}-${number} if ${[conditions[kind], ...when].join(' ')}`;
}

/** What a first boot waits for: what the administrator must give before it goes on. */
export const neededInputs = ['proxies', 'restore'] as const;
export type NeededInput = (typeof neededInputs)[number];

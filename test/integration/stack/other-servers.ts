/** Names of the smoke tests of sites with several servers, which others skip. */
export const testsOfOtherServers: readonly string[] = [
  'inference-servers',
  'engine-node-certificate',
  'engine-node-closed',
];

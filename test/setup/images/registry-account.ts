/** Account of the registry with authentication, which listens on loopback only while tests run. */
export const registryAccount = { username: 'landfall', password: 'only-for-tests' } as const;

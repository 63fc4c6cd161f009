/** The account of the registry that wants one. It lives on loopback and only while tests run. */
export const registryAccount = { username: 'landfall', password: 'only-for-tests' } as const;

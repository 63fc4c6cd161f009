/**
 * The header with the secret pass of an open update. The gateway of a server that is closed for the
 * update serves requests with it, so that the tests of the new release go through the gateway.
 */
export const passHeader = 'X-Landfall-Pass';

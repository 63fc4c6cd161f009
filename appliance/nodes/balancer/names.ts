// What HAProxy's configuration and the code that reads HAProxy agree on.

/** The `Host` header of every request to a node. Ollama accepts it on all addresses. */
export const hostForNodes = 'localhost';

/** The table with the answers of each server in the last minute. */
export const answersTable = 'answers';

/** Names of HAProxy's servers for the nodes of a Swarm begin so. */
export const swarmPrefix = 'swarm';

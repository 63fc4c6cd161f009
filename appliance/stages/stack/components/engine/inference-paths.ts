/**
 * The paths of Ollama's API that HAProxy and the gateway of an engine node forward: those that answer
 * with a model, and those that describe models. None of them changes models.
 */
export const inferencePaths = {
  generate: [
    '/api/generate',
    '/api/chat',
    '/v1/chat/completions',
    '/v1/completions',
    '/v1/responses',
    '/v1/messages',
  ],
  embed: ['/api/embed', '/api/embeddings', '/v1/embeddings'],
  inform: ['/', '/api/tags', '/api/version', '/api/show', '/api/ps', '/v1/models'],
  /** Followed by the name of a model. */
  informPrefix: '/v1/models/',
} as const;

/**
 * As many tools, with descriptions as long, as Open WebUI 0.12.4 adds to a request with a session
 * (utils/middleware.py): 36 tools of about 700 characters.
 */
export const builtInTools: readonly object[] = Array.from({ length: 36 }, (_, index) => ({
  type: 'function',
  function: {
    name: `built_in_${index}`,
    description: 'A tool that searches, reads or changes what the user has stored here. '.repeat(8),
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
}));

import { policy } from '../../gateway/directives.ts';

/** Returns locations that serve pages as HTML, or as Markdown by `.md` or `Accept` (SPEC 4, E7). */
export const docsLocations = () => `root /usr/share/landfall/docs;
types { text/html html; text/markdown md; text/plain txt; }
charset utf-8;
charset_types text/markdown text/plain;
add_header Vary Accept always;
${policy("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")}
location / { try_files $uri $uri.$page_format =404; }
location = / { return 302 /agents/index; }`;

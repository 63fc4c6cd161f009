import { contentPolicyFor } from '../../../../server/progress/page/assets.ts';
import { policy } from '../../gateway/directives.ts';
import { pageStyle } from '../../pages/page.ts';

/**
 * Returns locations that serve pages as HTML, or as Markdown by `.md` or `Accept` (SPEC 4, E7).
 * Redirects contain no port, because an SSH tunnel may use another one.
 */
export const docsLocations = () => `root /usr/share/landfall/docs;
absolute_redirect off;
types { text/html html; text/markdown md; text/plain txt; }
charset utf-8;
charset_types text/markdown text/plain;
add_header Vary Accept always;
${policy(contentPolicyFor({ style: pageStyle }))}
location / { try_files $uri $uri.$page_format =404; }
location = / { return 302 /agents/\${docs_language}index; }`;

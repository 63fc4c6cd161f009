import { contentPolicyFor } from '../../progress/page/assets.ts';
import { pageStyle } from '../pages/page-style.ts';
import { policy } from './directives.ts';
import { errorJson, errorPage, type GatewayError, gatewayErrors } from './gateway-errors.ts';
import { block, type Security, securityHeaders } from './server-block.ts';

const formats = { html: 'text/html', json: 'application/json' } as const;

/**
 * Returns the locations for errors of the gateway itself: a component that does not respond, a request
 * that is too large, too many requests. The response keeps its status. Errors of a component are
 * forwarded unchanged. Named locations keep the method and the path of the request, which the log
 * contains.
 */
export function errorLocations(security: Pick<Security, 'hsts'>): string[] {
  return gatewayErrors.flatMap((error) => [
    `error_page ${error.statuses.join(' ')} @${error.name}_$error_format;`,
    ...Object.entries(formats).map(
      ([format, type]) =>
        `location @${error.name}_${format} ${block(response(error, format, type, security))}`,
    ),
  ]);
}

function response(
  { name, statuses: [status], retryAfter }: GatewayError,
  format: string,
  type: string,
  security: Pick<Security, 'hsts'>,
): string[] {
  return [
    ...securityHeaders(security),
    policy(contentPolicyFor({ style: pageStyle })),
    ...(retryAfter === undefined ? [] : [`add_header Retry-After ${retryAfter} always;`]),
    'add_header Cache-Control no-store always;',
    'add_header Vary Accept always;',
    `default_type ${type};`,
    'charset utf-8;',
    `return ${status} $${name}_${format};`,
  ];
}

/** Renders the variables with the responses. */
export function errorVariables(): string {
  return gatewayErrors
    .flatMap((error) => [
      variable(`${error.name}_html`, errorPage(error)),
      variable(`${error.name}_json`, errorJson(error)),
    ])
    .join('');
}

/** Quotes a text for nginx, which has no escape for `$`. */
function variable(name: string, text: string): string {
  return `map $host $${name} {\n  default '${text.replaceAll(/[\\']/g, String.raw`\$&`)}';\n}\n`;
}

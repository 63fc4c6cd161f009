'use strict';
/*
 * What programs use of undici, each part loaded with its first use: its own main file loads everything,
 * also caches and test doubles, and takes 13 MB more memory. Paths, because the name leads to this file.
 */
const Dispatcher = require('../../../node_modules/undici/lib/dispatcher/dispatcher.js');

// As its main file does. `connect` opens the tunnel through an HTTP proxy.
Dispatcher.prototype.request = function request(...args) {
  return require('../../../node_modules/undici/lib/api/api-request.js').apply(this, args);
};
Dispatcher.prototype.connect = function connect(...args) {
  return require('../../../node_modules/undici/lib/api/api-connect.js').apply(this, args);
};

module.exports = {
  get Agent() {
    return require('../../../node_modules/undici/lib/dispatcher/agent.js');
  },
  get Pool() {
    return require('../../../node_modules/undici/lib/dispatcher/pool.js');
  },
  get ProxyAgent() {
    return require('../../../node_modules/undici/lib/dispatcher/proxy-agent.js');
  },
  get Socks5ProxyAgent() {
    return require('../../../node_modules/undici/lib/dispatcher/socks5-proxy-agent.js');
  },
  get buildConnector() {
    return require('../../../node_modules/undici/lib/core/connect.js');
  },
};

// Loaded before a peer: makes it listen on loopback only. Not every peer has an option for that.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(first, ...rest) {
  const callback = [first, ...rest].find((each) => typeof each === 'function');
  const port = typeof first === 'object' && first !== null ? first.port : Number(first);
  return listen.call(this, { port, host: '127.0.0.1' }, callback);
};

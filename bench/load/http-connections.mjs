// Keep-alive connections to one address, opened as they are needed.
import { HttpConnection } from './http-connection.mjs';

export class HttpConnections {
  #url;
  #all = new Set();
  #idle = [];

  constructor(url) {
    this.#url = url;
  }

  /** @param {(answer: import('./http-connection.mjs').HttpAnswer) => void} done */
  post(head, body, done) {
    const connection = this.#take();
    connection.send(`${head}content-length: ${body.length}\r\n\r\n${body}`, (answer) => {
      this.#idle.push(connection);
      done(answer);
    });
  }

  close() {
    for (const connection of this.#all) connection.close();
  }

  #take() {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isFresh) return idle;
      idle.close();
      this.#all.delete(idle);
    }
    const opened = new HttpConnection(this.#url);
    this.#all.add(opened);
    return opened;
  }
}

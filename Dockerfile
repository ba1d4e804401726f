# Commonplace's HTTP server: REST and remote MCP. Everything it keeps is in /data.
#   docker build -t commonplace .
#   docker run -d --name commonplace -p 127.0.0.1:7878:7878 -v commonplace:/data commonplace
#   docker exec commonplace commonplace token create "my laptop"

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && node_modules/.bin/node scripts/release/run.ts --only program --into /program

FROM node:24-slim
ENV NODE_ENV=production \
    COMMONPLACE_DATA=/data \
    COMMONPLACE_HTTP_HOST=0.0.0.0 \
    COMMONPLACE_HTTP_PORT=7878
WORKDIR /app
COPY --from=build /program ./
# Nothing installs anything in here.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
 && ln -s /app/dist/main.js /usr/local/bin/commonplace \
 && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 7878
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.COMMONPLACE_HTTP_PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["commonplace"]
CMD ["serve"]

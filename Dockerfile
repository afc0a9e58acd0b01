# The image of incident: the built command on Node, with git for the journals in git.
# npm run build && docker build --tag incident .
ARG NODE=node:24-alpine
FROM ${NODE}
ARG VERSION=unknown
ARG SOURCE=
LABEL org.opencontainers.image.title="incident" \
      org.opencontainers.image.description="Declares incidents of a status page exactly once" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.source="${SOURCE}"
# The state directory must belong to the user alone.
RUN apk add --no-cache ca-certificates git && install -d -o 65532 -g 65532 -m 0700 /state
COPY LICENSE dist /usr/lib/incident/
RUN ln -s /usr/lib/incident/incident.cjs /usr/bin/incident
# Nothing is written outside of /state and /tmp, so the root can be read-only.
ENV INCIDENT_CLI_STATE_DIR=/state HOME=/tmp
VOLUME /state
USER 65532:65532
ENTRYPOINT ["/usr/bin/incident"]
CMD ["--help"]

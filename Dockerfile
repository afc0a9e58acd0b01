# The image of incident: the executable for musl on Alpine, with git for the journals in git.
# docker build --build-arg EXECUTABLE=dist/binary/incident-linux-arm64-musl --tag incident .
ARG ALPINE=alpine:3.22
FROM ${ALPINE}
ARG EXECUTABLE=dist/binary/incident-linux-x64-musl
ARG VERSION=unknown
ARG SOURCE=
LABEL org.opencontainers.image.title="incident" \
      org.opencontainers.image.description="Declares incidents of a status page exactly once" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.source="${SOURCE}"
# The runtime of the executable needs libstdc++. The state directory must belong to the user alone.
RUN apk add --no-cache ca-certificates git libstdc++ && install -d -o 65532 -g 65532 -m 0700 /state
COPY LICENSE dist/binary/licences.txt /usr/share/licenses/incident/
COPY --chmod=0755 ${EXECUTABLE} /usr/bin/incident
# Nothing is written outside of /state and /tmp, so the root can be read-only.
ENV INCIDENT_CLI_STATE_DIR=/state HOME=/tmp
VOLUME /state
USER 65532:65532
ENTRYPOINT ["/usr/bin/incident"]
CMD ["--help"]

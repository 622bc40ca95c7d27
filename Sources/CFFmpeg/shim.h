#pragma once
#include <libavcodec/avcodec.h>
#include <libavcodec/vorbis_parser.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>

// What the importer cannot see: macros with casts, tags and arithmetic.
static const int32_t shim_AVERROR_EOF = AVERROR_EOF;
static const int32_t shim_AVERROR_EXIT = AVERROR_EXIT;
static const int32_t shim_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int32_t shim_AVERROR_PATCHWELCOME = AVERROR_PATCHWELCOME;
static const int32_t shim_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int32_t shim_AVERROR_ENOMEM = AVERROR(ENOMEM);
static const int32_t shim_AVERROR_EIO = AVERROR(EIO);
static const int32_t shim_AVERROR_EPERM = AVERROR(EPERM);
static const int32_t shim_AVERROR_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
static const int32_t shim_AVERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int32_t shim_AVERROR_ENCODER_NOT_FOUND = AVERROR_ENCODER_NOT_FOUND;
static const int64_t shim_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
static const int shim_AVSEEK_SIZE = AVSEEK_SIZE;
